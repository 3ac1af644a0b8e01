// All texts of the dashboard. A translation is another object of the type `Texts`.

import { account } from './en/account.ts'
import { archives, backups } from './en/archives.ts'
import { bot } from './en/bot.ts'
import { bots } from './en/bots.ts'
import { chat } from './en/chat.ts'
import { common } from './en/common.ts'
import { conversations } from './en/conversations.ts'
import { deliveries } from './en/deliveries.ts'
import { emulator } from './en/emulator.ts'
import { filters } from './en/filters.ts'
import { inbox } from './en/inbox.ts'
import { installation } from './en/installation.ts'
import { integrations } from './en/integrations.ts'
import { issues } from './en/issues.ts'
import { knowledge } from './en/knowledge.ts'
import { logs } from './en/logs.ts'
import { states, tags } from './en/objects.ts'
import { personalData } from './en/personal-data.ts'
import { privacy } from './en/privacy.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { invitation, signIn } from './en/sign-in.ts'
import { tableViews } from './en/table-views.ts'
import { tables } from './en/tables.ts'
import { trace } from './en/trace.ts'
import { usage } from './en/usage.ts'
import { users } from './en/users.ts'
import { versions } from './en/versions.ts'
import { access, audit, members, tokens } from './en/workspace.ts'

const en = {
  access,
  account,
  archives,
  audit,
  backups,
  bot,
  bots,
  chat,
  common,
  conversations,
  deliveries,
  emulator,
  filters,
  inbox,
  invitation,
  issues,
  knowledge,
  logs,
  members,
  installation,
  integrations,
  personalData,
  privacy,
  settings,
  shell,
  signIn,
  states,
  tableViews,
  tables,
  tags,
  tokens,
  trace,
  usage,
  users,
  versions,
}

type Texts = typeof en
export const texts: Texts = en
