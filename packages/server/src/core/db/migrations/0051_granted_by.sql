-- The account that gave the role; null where the account took it by creating the workspace, and for roles of before. Not a reference: a role that a
-- deleted account gave must not look like one that was taken.
alter table workspace_member add column granted_by text;
