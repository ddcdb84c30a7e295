-- title: Deal-ins by shanten
-- group: deal-in
-- answers: How far from tenpai is a seat when it deals in, and what does a deal-in cost when it is
--   tenpai?
-- numerator: rounds in which the seat dealt in with that shanten after the discard
-- denominator: rounds with a deal-in (n); of_rounds is a share of all rounds played
-- source: shanten at deal-in (amae-koromo #85), deal-in when tenpai (#26): shanten 0
-- example: paifu stats deal_in_by_shanten --lake games.lake
WITH rounds_played AS (
    SELECT players, count(*) AS n_rounds
    FROM round_seats
    WHERE discards > 0 OR haipai_shanten IS NOT NULL -- score sheets have no acts
    GROUP BY players
)
SELECT
    players,
    shanten_end AS shanten,
    state_end AS state,
    count(*) AS deal_in_rounds,
    sum(count(*)) OVER (PARTITION BY players)::BIGINT AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS share,
    any_value(n_rounds) AS n_rounds,
    count(*) / any_value(n_rounds) AS of_rounds,
    avg(deal_in_points) AS average_cost
FROM round_seats
JOIN rounds_played USING (players)
WHERE deal_ins > 0 AND (discards > 0 OR haipai_shanten IS NOT NULL)
GROUP BY players, shanten_end, state_end
ORDER BY players DESC, shanten, state;
