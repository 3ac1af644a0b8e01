// The hooks of the core, to which features add their functions.
import { accountsModule } from '../core/accounts/index.ts'
import { botsModule } from '../core/bots/index.ts'
import { catalogModule } from '../core/catalog/index.ts'
import { deliveryModule } from '../core/delivery/index.ts'
import { filesModule } from '../core/files/index.ts'
import { httpModule } from '../core/http/index.ts'
import { messagingModule } from '../core/messaging/index.ts'
import { workflowsModule } from '../core/workflows/index.ts'

export interface Hooks
  extends ReturnType<typeof accountsModule.createHooks>,
    ReturnType<typeof botsModule.createHooks>,
    ReturnType<typeof catalogModule.createHooks>,
    ReturnType<typeof deliveryModule.createHooks>,
    ReturnType<typeof filesModule.createHooks>,
    ReturnType<typeof httpModule.createHooks>,
    ReturnType<typeof messagingModule.createHooks>,
    ReturnType<typeof workflowsModule.createHooks> {}

export const createHooks = (): Hooks => ({
  ...accountsModule.createHooks(),
  ...botsModule.createHooks(),
  ...catalogModule.createHooks(),
  ...deliveryModule.createHooks(),
  ...filesModule.createHooks(),
  ...httpModule.createHooks(),
  ...messagingModule.createHooks(),
  ...workflowsModule.createHooks(),
})
