-- title: Data quality
-- group: data quality
-- answers: What could not be read, what was flagged, and where does the rules engine disagree?
-- numerator: logs rejected (with a filter none are counted, since their content is not known),
--   games flagged, subjects with a verdict, for each reason
-- denominator: logs seen (n) for rejects; games for flags; subjects of that kind for verdicts
-- param: ruleset ruleset = NULL | Name of the rule set of the verdicts; NULL: the rule set that
--   each game's record names.
-- source: own
-- example: paifu stats data_quality --lake games.lake
WITH seen AS (SELECT (SELECT count(*) FROM games) AS games, (SELECT count(*) FROM rejects) AS rejects)
SELECT 'rejected' AS kind, reason AS detail, count(*) AS found, any_value(games + seen.rejects) AS n
FROM rejects, seen
GROUP BY reason
UNION ALL
SELECT 'flagged', reason, count(DISTINCT game_id), any_value(games)
FROM flags, seen
GROUP BY reason
UNION ALL
SELECT 'incomplete', format, count(*) FILTER (NOT complete AND detail = 'play'), count(*)
FROM games
GROUP BY format
HAVING count(*) FILTER (NOT complete AND detail = 'play') > 0
UNION ALL
SELECT
    'verdict ' || subject,
    status || coalesce(': ' || reason, ''),
    count(*),
    sum(count(*)) OVER (PARTITION BY subject)::BIGINT
FROM verdicts
JOIN games USING (game_id)
WHERE verdicts.ruleset = coalesce(getvariable('ruleset'), games.ruleset)
GROUP BY subject, status, reason
ORDER BY kind, found DESC, detail;
