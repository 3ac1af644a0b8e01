-- Which process a worker is: its neighbours on the same machine see that it has died, and take its lanes over without waiting for the lease.

alter table worker
  -- host name, boot and process namespace: where `pid` means something; null for a server of an earlier version
  add column machine text,
  -- tells apart two processes with the same pid
  add column process_start text;
