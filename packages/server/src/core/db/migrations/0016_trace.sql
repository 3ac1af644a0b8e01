-- The trace that a delivery belongs to (W3C traceparent, then tracestate), so that it is still one trace after a restart. Null for most.
alter table delivery add column trace text;
