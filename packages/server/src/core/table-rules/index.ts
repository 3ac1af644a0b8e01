// Types of the rules that each table has, and the conditions that several of them share. A module states
// the rules of its tables in its `table-rules.ts`; `app/tables.ts` collects them.
import { bindings } from './services.ts'

export const tableRulesModule = { name: 'table-rules', bindings }
export {
  type Age,
  type AgeRule,
  batchSize,
  deleteSome,
  isBefore,
  type Removed,
  type Selected,
} from './ages.ts'
export {
  and,
  isConversation,
  isOfBot,
  isOfEvent,
  isOfUserConversationOrEvent,
  isOfUserOrConversation,
  isUser,
  mentions,
  or,
  type Person,
  type PersonRule,
  type RemovedOfPerson,
} from './persons.ts'
export { selectBots, type TableRules, type Tables } from './rules.ts'
export {
  leftOutText,
  type SealedValue,
  sealedBytes,
  sealedObject,
} from './sealed.ts'
export type { TableRuleServices } from './services.ts'
