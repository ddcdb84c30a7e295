-- title: Deal-ins by both states
-- group: deal-in
-- answers: To whom do seats deal in (riichi, open or dama, dealer or not), and in which state are
--   they themselves?
-- numerator: wins on a discard by a seat in that state against a winner in that state
-- denominator: all wins on a discard (n)
-- source: 放銃 to 立直/副露/黙聴 (amae-koromo); deal-in to dealer (Mortal); a double ron counts as two
-- example: paifu stats deal_in_to --lake games.lake
SELECT
    wins.players,
    loser_state AS own_state,
    winner_state,
    (winner = dealer) AS to_dealer,
    count(*) AS deal_ins,
    sum(count(*)) OVER (PARTITION BY wins.players)::BIGINT AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY wins.players) AS rate,
    avg(points) AS average_points,
    avg(points + honba_points) AS average_paid
FROM round_seats
JOIN wins USING (game_id, round_index)
WHERE deal_ins > 0 AND loser = seat
GROUP BY wins.players, loser_state, winner_state, to_dealer
ORDER BY players DESC, deal_ins DESC;
