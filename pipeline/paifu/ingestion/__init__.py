"""From sources to a lake: units of logs prepared by workers, committed in order by one."""
