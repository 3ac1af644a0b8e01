-- in steps: not in one transaction
-- Invitations of people who answer users, or edit the knowledge.
alter table invitation
  drop constraint if exists invitation_role_check,
  add constraint invitation_role_check check (role in
    ('viewer', 'agent', 'editor', 'billing', 'developer', 'manager', 'administrator', 'owner')) not valid;

alter table invitation validate constraint invitation_role_check;
