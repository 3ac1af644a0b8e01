// The rules of all tables. Each module states those of its tables in `table-rules.ts`. A table without rules
// does not compile here; `npm run check` reports one with several owners.
import { tables as accounts } from '../core/accounts/table-rules.ts'
import { tables as audit } from '../core/audit/table-rules.ts'
import { tables as bots } from '../core/bots/table-rules.ts'
import { tables as catalog } from '../core/catalog/table-rules.ts'
import type { Schema } from '../core/db/schema.ts'
import { tables as db } from '../core/db/table-rules.ts'
import { tables as files } from '../core/files/table-rules.ts'
import { tables as idempotency } from '../core/idempotency/table-rules.ts'
import { tables as messaging } from '../core/messaging/table-rules.ts'
import { tables as queue } from '../core/queue/table-rules.ts'
import { tables as rates } from '../core/rates/table-rules.ts'
import { tables as sealing } from '../core/sealing/table-rules.ts'
import type { CompleteTables, Tables } from '../core/table-rules/index.ts'
import { tables as botTables } from '../core/tables/table-rules.ts'
import { tables as usage } from '../core/usage/table-rules.ts'
import { tables as workflows } from '../core/workflows/table-rules.ts'
import { tables as archive } from '../features/archive/table-rules.ts'
import { tables as handoffs } from '../features/handoffs/table-rules.ts'
import { tables as insights } from '../features/insights/table-rules.ts'
import { tables as knowledge } from '../features/knowledge/table-rules.ts'
import { tables as mcp } from '../features/mcp/table-rules.ts'
import { tables as models } from '../features/models/table-rules.ts'
import { tables as moves } from '../features/moves/table-rules.ts'
import { tables as privacy } from '../features/privacy/table-rules.ts'
import { tables as sharedAddresses } from '../features/shared-addresses/table-rules.ts'
import { tables as signIn } from '../features/sign-in/table-rules.ts'
import { tables as versions } from '../features/versions/table-rules.ts'
import { tables as webhookDiary } from '../features/webhook-diary/table-rules.ts'

export const tableRules: Tables = {
  ...accounts,
  ...audit,
  ...bots,
  ...catalog,
  ...db,
  ...idempotency,
  ...files,
  ...messaging,
  ...queue,
  ...rates,
  ...sealing,
  ...botTables,
  ...usage,
  ...workflows,
  ...archive,
  ...handoffs,
  ...insights,
  ...knowledge,
  ...mcp,
  ...models,
  ...moves,
  ...privacy,
  ...sharedAddresses,
  ...signIn,
  ...versions,
  ...webhookDiary,
} satisfies CompleteTables<keyof Schema>
