import { delimiter } from 'node:path'
import { expect, test } from 'vitest'
import { findInstallation } from './own-command.ts'

const inProject = 'file:///home/ana/shop/node_modules/botstead/dist/main.js'
const inClone = 'file:///home/ana/botstead/packages/cli/dist/main.js'
const path = (...folders: string[]) => folders.join(delimiter)

test.each([
  [
    'the script of a clone',
    inClone,
    '/home/ana/botstead/packages/cli/bin/botstead.js',
    'clone',
  ],
  ['npx in a clone', inClone, '/home/ana/botstead/node_modules/.bin/botstead', 'project'],
  ['npx in a project', inProject, '/home/ana/shop/node_modules/.bin/botstead', 'project'],
  [
    'a module of a project',
    inProject,
    '/home/ana/shop/node_modules/botstead/dist/main.js',
    'project',
  ],
])('finds no program in the PATH of the shell: %s', (_, file, program, installation) => {
  const exists = (name: string) => name.includes('node_modules/.bin/')
  const searchPath = path('/home/ana/shop/node_modules/.bin', '/usr/bin', '')
  expect(findInstallation(file, program, searchPath, exists)).toBe(installation)
})

test.each(['/usr/local/bin/botstead', '/opt/node/bin/botstead.cmd'])(
  'finds %s',
  (program) => {
    const file = 'file:///usr/local/lib/node_modules/botstead/dist/main.js'
    const searchPath = path('/usr/bin', '/opt/node/bin', '/usr/local/bin')
    const exists = (name: string) => name === program
    expect(findInstallation(file, program, searchPath, exists)).toBe('global')
  },
)
