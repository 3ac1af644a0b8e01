// Names of functions and positions in bundles of `bp build`, whose slow parts are replaced or not.
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import { createSandbox } from '../runner/pool.ts'
import { tune } from './tuned-code.ts'

const source = `class Early extends Error {}
const local = () => {
  class Late extends Error {}
  function Maker() {}
  const inner = async () => {}
  Object.defineProperty(inner, 'own', { value: 1 })
  const deliberate = Object.defineProperty(() => {}, 'name', { value: 'given', configurable: true })
  const shown = [new Early(), new Late(), new Maker()].map((one) => one.constructor.name)
  return [...shown, local.name, deliberate.name, inner.name]
}
export const handler = async ({ body }: { body: string }) => {
  if (body === 'throw') throw new Early('too far')
  return { body: JSON.stringify(local()) }
}
`

async function bundle(minify: boolean): Promise<string> {
  const { code } = await transform(source, {
    loader: 'ts',
    format: 'cjs',
    target: 'es2020',
    keepNames: true,
    minify,
    sourcemap: 'inline',
    sourcefile: '../src/bot.ts',
  })
  return code
}

test.each([
  ['minified', true, true, ''],
  ['not minified', false, true, ''],
  ['minified, without replacements', true, false, 'inner'],
])(
  'keeps names and positions: %s',
  { timeout: 100_000 },
  async (_name, minify, isTuned, inner) => {
    const code = Buffer.from(await bundle(minify))
    const sandbox = await createSandbox({ onLog: () => {}, isTuned })
    const call = async (body: string) => {
      const unit = {
        key: 'bot',
        version: '1',
        load: async () => code,
        environment: async () => ({}),
        memoryMb: 64,
      }
      const request = { method: 'POST', path: '/', query: '', headers: {}, body }
      const response = await sandbox.invoke(unit, request, {
        timeoutMs: 60_000,
        cause: null,
      })
      return JSON.parse(response.body)
    }
    try {
      // Only functions that cannot be constructors get no name after the code has been loaded.
      expect(await call('names')).toEqual([
        'Early',
        'Late',
        'Maker',
        'local',
        'given',
        inner,
      ])
      const { error, stack } = await call('throw')
      expect(error).toBe('Error: too far')
      expect(stack).toMatch(
        /^Error: too far\n {4}at (?:Object\.)?handler \(src\/bot\.ts:12:31\)/,
      )
    } finally {
      await sandbox.close(0)
    }
  },
)

test('reads text that resembles the beginning of a bundle in linear time', () => {
  const code = `var a=Object.${'b'.repeat(20)}${`=Object.${'b'.repeat(20)}`.repeat(20)}!`
  expect(tune(code)).toBe(code)
})
