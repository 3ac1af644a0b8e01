import type { Handlers, platform } from '@botstead/contract'
import type { Contexts } from '../../../../core/http/index.ts'
import { convertBot } from '../../conversion.ts'
import { inspectDocument } from '../../document-check.ts'

export const documents: Handlers<typeof platform.documents, Contexts> = {
  async checkBotDocument({ caller }, { body }) {
    return inspectDocument(caller.workspaceId, body.document)
  },

  async convertBot({ caller, request }, { body }) {
    request.isLarge = true // for its response
    return convertBot(caller.workspaceId, body)
  },
}
