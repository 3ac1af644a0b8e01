-- Records of a file that an import left out, with the reasons: [{place, problem, values}].
alter table table_job add column rejected jsonb not null default '[]';
