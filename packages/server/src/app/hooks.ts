// The hooks of the core, to which features add their functions.
import type { BotHooks } from '../core/bots/index.ts'
import type { CatalogHooks } from '../core/catalog/index.ts'
import type { DeliveryHooks } from '../core/delivery/index.ts'
import type { FileHooks } from '../core/files/index.ts'
import type { HttpHooks } from '../core/http/index.ts'
import type { MessagingHooks } from '../core/messaging/index.ts'
import type { StateHooks } from '../core/workflows/index.ts'

export interface Hooks
  extends BotHooks,
    CatalogHooks,
    DeliveryHooks,
    FileHooks,
    HttpHooks,
    MessagingHooks,
    StateHooks {}

export const createHooks = (): Hooks => ({
  takeMessage: [],
  completeMessage: [],
  messageAnswered: [],
  messageDelivered: [],
  messageRated: [],
  userSigned: [],
  isHandedOver: [],
  conversationTagged: [],
  chatActions: new Map(),
  ownCode: new Map(),
  actionCalled: [],
  findRemoteAction: [],
  relocator: null,
  answered: [],
  stateChanged: [],
  followState: [],
  checkScripts: [],
  botDeployed: [],
  findTrials: [],
  webhookForwarded: [],
  fileStored: [],
})
