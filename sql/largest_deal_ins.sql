-- title: Largest deal-ins
-- group: deal-in
-- answers: Which deal-ins cost the most, and which were the latest?
-- numerator: what the seat paid as the discarder in the round, with honba
-- denominator: none, this is a list; n_winners is how many seats won on the tile; played_at is UTC
-- param: first text = points (points, recent) | List the most expensive first, or the latest first.
-- param: rows count = 20 | How many deal-ins are listed.
-- param: custom bool = true | Also count games of lobbies and rooms with their own settings (rule
--   sets tenhou-custom, majsoul-custom).
-- source: 最近大铳 (amae-koromo)
-- example: paifu stats largest_deal_ins --lake games.lake --player "name" --param first=recent
SELECT
    player,
    dealt.players,
    deal_ins AS n_winners,
    deal_in_points AS cost,
    deal_in_tile AS tile,
    deal_in_turn AS turn,
    deal_in_state AS own_state,
    ['E', 'S', 'W', 'N'][wind + 1] || number || '.' || honba AS round,
    games.played_at,
    coalesce(games.log_id, games.game_id::VARCHAR) AS log
FROM (
    SELECT round_seats.*, games.played_at
    FROM round_seats
    JOIN games USING (game_id)
    WHERE deal_in_points > 0
        AND (coalesce(getvariable('custom'), true) OR NOT contains(ruleset, '-custom'))
    ORDER BY
        CASE WHEN coalesce(getvariable('first'), 'points') = 'recent' THEN played_at END
            DESC NULLS LAST,
        deal_in_points DESC, game_id, round_index DESC, seat
    LIMIT coalesce(getvariable('rows'), 20)
) AS dealt
JOIN games USING (game_id)
JOIN rounds USING (game_id, round_index)
JOIN seats USING (game_id, seat)
ORDER BY
    CASE WHEN coalesce(getvariable('first'), 'points') = 'recent' THEN dealt.played_at END
        DESC NULLS LAST,
    cost DESC, dealt.game_id, round_index DESC, seat;
