import type { Handlers, platform } from '@botstead/contract'
import type { Contexts } from '../../../../core/http/index.ts'
import type { ModelServices } from '../../../models/index.ts'
import { convertBot } from '../../conversion.ts'
import { inspectDocument } from '../../document-check.ts'

export const documents: Handlers<typeof platform.documents, Contexts<ModelServices>> = {
  async checkBotDocument({ services, caller }, { body }) {
    const hasModel = await services.models.hasTextModel(caller.workspaceId)
    return inspectDocument(caller.workspaceId, body.document, hasModel)
  },

  async convertBot({ caller, request }, { body }) {
    request.isLarge = true // for its response
    return convertBot(caller.workspaceId, body)
  },
}
