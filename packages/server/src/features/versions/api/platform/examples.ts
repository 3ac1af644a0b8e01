import type { Handlers, platform } from '@botstead/contract'
import type { Contexts } from '../../../../core/http/index.ts'
import type { ModelServices } from '../../../models/index.ts'
import { findExample, listExamples } from '../../examples.ts'

export const examples: Handlers<typeof platform.examples, Contexts<ModelServices>> = {
  async listExamples({ services, caller }) {
    const hasModel = await services.models.hasTextModel(caller.workspaceId)
    return { examples: await listExamples(), hasModel }
  },

  async getExample(_context, { params }) {
    return { example: await findExample(params.example) }
  },
}
