-- title: Deal-ins by wait
-- group: deal-in
-- answers: On which kinds of wait do seats deal in, by the state of the winner?
-- numerator: wins on a discard on that kind of wait
-- denominator: wins on a discard by a winner in that state (n)
-- source: 放銃 by 待ちの形; a double ron counts as two; paid is with honba. Live copies are those that
--   the winner could not see
-- example: paifu stats deal_in_waits --lake games.lake --player NAME
SELECT
    wins.players,
    winner_state,
    wait_kind,
    count(*) AS deal_ins,
    sum(count(*)) OVER (PARTITION BY wins.players, winner_state)::BIGINT AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY wins.players, winner_state) AS rate,
    avg(wait_live) AS average_live,
    avg(points + honba_points) AS average_paid
FROM round_seats
JOIN wins USING (game_id, round_index)
WHERE deal_ins > 0 AND loser = seat
GROUP BY wins.players, winner_state, wait_kind
ORDER BY players DESC, winner_state, deal_ins DESC, wait_kind;
