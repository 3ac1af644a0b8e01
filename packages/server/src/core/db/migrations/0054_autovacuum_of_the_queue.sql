-- The queue's tables have few live rows and change with every message. With the default threshold of 50 dead rows, autovacuum runs in every
-- round; with the default share of 20 %, a million lanes would first collect 200,000 dead rows.
alter table delivery set (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_threshold = 1000);
alter table lane set (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_threshold = 1000);
