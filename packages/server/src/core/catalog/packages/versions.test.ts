import fc from 'fast-check'
import semver from 'semver'
import { expect, test } from 'vitest'
import { checkPackageVersion, pickVersion, toRank } from './versions.ts'

const all = ['0.9.0', '1.0.0', '1.2.0', '1.10.0', '2.0.0-rc.1'].map((version) => ({
  version,
}))

test.each<[string, string | null]>([
  ['1.0.0', '1.0.0'],
  ['2.0.0-rc.1', '2.0.0-rc.1'],
  ['latest', '1.10.0'],
  ['^1.0.0', '1.10.0'],
  ['~1.2.0', '1.2.0'],
  ['<1.10.0', '1.2.0'],
  ['<0.9.0', null],
  ['>=0.9.0 <1.2.0', '1.0.0'],
  ['*', '1.10.0'],
  ['>=2.0.0-rc.0', '2.0.0-rc.1'],
  ['3.0.0', null],
  ['newest', null],
  ['', '1.10.0'],
  [`1.0.0${' || 1.0.0'.repeat(10_000)}`, null],
])('%s is %s', (wanted, version) =>
  expect(pickVersion(all, wanted)?.version ?? null).toBe(version),
)

test('picks a pre-release as the latest only without a release', () => {
  expect(
    pickVersion(
      [{ version: '1.0.0-b' }, { version: '1.0.0-a' }, { version: '1.0.0-9' }],
      'latest',
    )?.version,
  ).toBe('1.0.0-b')
})

test.each([
  'v1.0.0',
  ' 1.0.0',
  '1.0',
  '1.0.0+build',
  'latest',
  '01.0.0',
  '',
  `${'9'.repeat(20)}.0.0`,
])('rejects the version %s', (version) =>
  expect(() => checkPackageVersion(version)).toThrow('semantic version'),
)

const part = fc
  .oneof(
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  )
  .map(String)
const early = fc.array(
  fc.oneof(part, fc.stringMatching(/^[a-zA-Z-][0-9a-zA-Z-]{0,3}$/)),
  {
    minLength: 1,
    maxLength: 3,
  },
)
const version = fc
  .tuple(fc.array(part, { minLength: 3, maxLength: 3 }), fc.option(early))
  .map(([core, rest]) => core.join('.') + (rest ? `-${rest.join('.')}` : ''))

test('ranks versions in order, and releases after all pre-releases', () => {
  fc.assert(
    fc.property(version, version, (a, b) => {
      const byRank = Math.sign(
        Buffer.compare(Buffer.from(toRank(a)), Buffer.from(toRank(b))),
      )
      const [early, earlier] = [a, b].map((one) => semver.prerelease(one) !== null)
      const byRelease = early ? -1 : 1
      expect(byRank).toBe(early === earlier ? semver.compare(a, b) : byRelease)
    }),
  )
})
