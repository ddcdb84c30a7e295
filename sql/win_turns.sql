-- title: Wins by turn
-- group: wins
-- answers: At which turn are rounds won, and for how much?
-- numerator: wins at that turn
-- denominator: all wins (n)
-- param: turn text = own (own, table) | own: 1 + own discards; table: 1 + all discards / players.
-- source: 和了巡; own turns as Mortal, table turns as amae-koromo
-- example: paifu stats win_turns --lake games.lake --param turn=table
SELECT
    players,
    CASE coalesce(getvariable('turn'), 'own')
        WHEN 'table' THEN ceil(table_turn)::INTEGER ELSE turn
    END AS at_turn,
    count(*) AS wins,
    sum(count(*)) OVER (PARTITION BY players)::BIGINT AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS rate,
    avg(points) AS average_points,
    avg(tsumo::INTEGER) AS tsumo_rate
FROM win_facts
GROUP BY players, at_turn
ORDER BY players DESC, at_turn;
