import type { BotHooks } from '../../core/bots/index.ts'
import type { Feature } from '../../core/feature.ts'
import type { Services } from '../../core/http/index.ts'
import type { MessagingHooks } from '../../core/messaging/index.ts'
import { serveBotDocuments } from './api/bot-documents.ts'
import { handlers } from './api/handlers.gen.ts'
import { openChatGreetings } from './chat-greetings.ts'
import { keepDeployed } from './deployed-versions.ts'
import { firstSteps } from './first-steps.ts'
import { tables } from './table-rules.ts'

export const versions = {
  name: 'versions',
  tables,
  handlers,
  firstSteps,
  hooks: (hooks: BotHooks & MessagingHooks, { db, secrets }: Services) => {
    hooks.botDeployed.push((trx, ...what) => keepDeployed(trx, secrets, ...what))
    hooks.findGreetings.push(openChatGreetings(db))
  },
  routes: serveBotDocuments,
} satisfies Feature
export { readDeployed } from './bot-document.ts'
export { saveVersion } from './deployed-versions.ts'
export { findExample } from './examples.ts'
export { findIntegrationUses } from './integration-uses.ts'
export { type DeployContext, type DeployServices, publication } from './publication.ts'
