// A scene of a server with models: a file for BOTSTEAD_MODELS with providers of the stand-in.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openScene, type Scene, type SceneOptions } from './scene.ts'

/** Keys that must never leave the server except to their provider. */
export const keys = {
  STAND_IN_OPENAI_KEY: 'sk-standin-openai-0123456789abcdef',
  STAND_IN_ANTHROPIC_KEY: 'sk-ant-standin-0123456789abcdef',
  STAND_IN_GOOGLE_KEY: 'AIzaStandIn0123456789abcdefghij',
  STAND_IN_MISTRAL_KEY: 'mistral-standin-0123456789abcdef',
}

export interface ModelScene extends Scene {
  folder: string
}

/** `url` is that of the stand-in; `more` replaces parts of the file. */
export async function openModelScene(
  url: string,
  more: Record<string, unknown> = {},
  options: SceneOptions = {},
): Promise<ModelScene> {
  const folder = await mkdtemp(join(tmpdir(), 'botstead-models-'))
  const file = join(folder, 'models.json')
  await writeFile(file, JSON.stringify({ ...toModels(url), ...more }))
  const before = { ...process.env }
  Object.assign(process.env, keys)
  const scene = await openScene({
    ...options,
    config: { models: file, ...options.config },
  }).finally(() => {
    for (const name of Object.keys(keys))
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
  })
  return {
    ...scene,
    folder,
    async close() {
      await scene.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const toModels = (url: string) => ({
  providers: {
    openai: { type: 'openai', url: `${url}/v1`, key: 'STAND_IN_OPENAI_KEY' },
    anthropic: { type: 'anthropic', url: `${url}/v1`, key: 'STAND_IN_ANTHROPIC_KEY' },
    'google-ai': { type: 'google', url: `${url}/v1beta`, key: 'STAND_IN_GOOGLE_KEY' },
    mistral: { type: 'mistral', url: `${url}/v1`, key: 'STAND_IN_MISTRAL_KEY' },
    local: { type: 'openai-compatible', url: `${url}/local/v1` },
  },
  models: {
    'openai:gpt': {
      price: { input: 2, output: 8 },
      inputTokens: 400_000,
      tags: ['vision'],
    },
    'anthropic:claude': { price: { input: 3, output: 15 } },
    'google-ai:gemini': {},
    'mistral:small': {},
    'local:llama': {},
    'local:nomic': { kind: 'embedding', price: { input: 1, output: 0 } },
    'openai:tts': {
      kind: 'speech',
      price: { characters: 10 },
      voices: ['alloy', 'nova'],
    },
    'openai:whisper': { kind: 'transcription', price: { minute: 0.006 } },
    'openai:image': { kind: 'image', price: { image: 0.04 } },
  },
  aliases: { best: 'anthropic:claude', fast: 'local:llama' },
})
