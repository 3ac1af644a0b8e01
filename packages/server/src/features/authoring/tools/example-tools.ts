import { ApiError, platform } from '@botstead/contract'
import type { AuthoringTool } from './tool.ts'

const { examples } = platform

export const listExamples: AuthoringTool = {
  name: 'list_examples',
  title: 'List example bots',
  description: 'Lists bots that show how documents are written, with their subjects',
  properties: {},
  permissions: ['bots.create'],
  isReading: true,
  perform: async ({ call }) => ({ ...(await call(examples.listExamples, {})) }),
}

interface Input {
  example: string
  file?: string
}

const maxLength = 100_000

export const readExample: AuthoringTool = {
  name: 'read_example',
  title: 'Read an example bot',
  description:
    'Returns a file of an example, by default `bot.json`, and the names of its other files',
  properties: {
    example: {
      type: 'string',
      maxLength: 200,
      description: 'Name, as list_examples returns it',
    },
    file: {
      type: 'string',
      maxLength: 500,
      description: 'Path of a file of the example',
    },
  },
  required: ['example'],
  permissions: ['bots.create'],
  isReading: true,
  async perform({ call }, { example, file = 'bot.json' }: Input) {
    const found = (await call(examples.getExample, { params: { example } })).example
    const text = Object.hasOwn(found.files, file) ? found.files[file] : undefined
    const files = Object.keys(found.files)
    if (text === undefined)
      throw new ApiError(
        'ResourceNotFound',
        `The example has no file "${file.slice(0, 200)}". Use one of ${files.join(', ').slice(0, 2_000)}`,
      )
    return {
      title: found.title,
      description: found.description,
      file,
      text: text.slice(0, maxLength),
      files,
    }
  },
}
