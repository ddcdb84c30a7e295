-- title: Deal-ins by what the winner showed
-- group: deal-in
-- answers: How many deal-ins are to hands that showed little: no riichi, and at most one call?
-- numerator: wins on a discard (or a robbed kan or north), by what the winner had shown
-- denominator: all wins on a discard (n)
-- source: ダマ・1副露への放銃; shown: riichi, two or more calls, one call, or nothing (dama, at most an
--   ankan); turn is the discarder's own; a double ron counts as two
-- example: paifu stats deal_in_by_threat --lake games.lake
WITH paid AS (
    SELECT
        wins.players,
        CASE
            WHEN winner_state = 'riichi' THEN 'riichi'
            ELSE ['nothing', 'one call', 'two calls and more'][
                1 + least(2, len(regexp_extract_all(' ' || melds, ' (chi|pon|kan|kakan):')))
            ]
        END AS shown,
        deal_in_turn,
        points,
        points + honba_points AS paid,
        "limit"
    FROM round_seats
    JOIN wins USING (game_id, round_index)
    WHERE deal_ins > 0 AND loser = seat
)
SELECT
    players,
    shown,
    count(*) AS deal_ins,
    sum(count(*)) OVER (PARTITION BY players)::BIGINT AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS rate,
    rate_low(count(*), sum(count(*)) OVER (PARTITION BY players)) AS low,
    rate_high(count(*), sum(count(*)) OVER (PARTITION BY players)) AS high,
    avg(deal_in_turn) AS average_turn,
    avg(points) AS average_points,
    avg(paid) AS average_paid,
    avg(("limit" <> 'none')::INTEGER) AS mangan_rate
FROM paid
GROUP BY players, shown
ORDER BY players DESC, deal_ins DESC, shown;
