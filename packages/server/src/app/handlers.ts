// The handlers of the core. Each module has those of its subject, and core/api those that work on several.
import { sharedHandlers } from '../core/api/index.ts'
import { botHandlers } from '../core/bots/index.ts'
import { catalogHandlers } from '../core/catalog/index.ts'
import { deliveryHandlers } from '../core/delivery/index.ts'
import type { HandlersWith } from '../core/feature.ts'
import { fileHandlers } from '../core/files/index.ts'
import { httpHandlers } from '../core/http/index.ts'
import { messagingHandlers } from '../core/messaging/index.ts'
import { realtimeHandlers } from '../core/realtime/index.ts'
import { tableHandlers } from '../core/tables/index.ts'
import { workflowHandlers } from '../core/workflows/index.ts'
import type { AllServices } from './all-services.ts'

/** Compiles only if the services exist that the handlers name. */
export const coreHandlers: HandlersWith<AllServices>[] = [
  sharedHandlers,
  botHandlers,
  catalogHandlers,
  deliveryHandlers,
  fileHandlers,
  httpHandlers,
  messagingHandlers,
  realtimeHandlers,
  tableHandlers,
  workflowHandlers,
]
