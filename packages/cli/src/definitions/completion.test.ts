import { expect, test } from 'vitest'
import { createProgram } from '../program.ts'
import { complete } from './completion.ts'

const completions = (line: string) => complete(createProgram(), line.split(' '))

test.each([
  ['conv', ['conversations']],
  ['conversations w', ['watch']],
  ['logs --level ', ['debug', 'info', 'warn', 'error']],
  ['logs --level w', ['warn']],
  ['logs --since 1h --le', ['--level']],
  ['failures --rea', ['--reason']],
  ['bots show --serv', ['--server']],
  ['api platform.getQ', ['platform.getQueue']],
  ['api runtime.getState --ty', ['--type']],
  ['api runtime.getState --type bot --na', ['--name']],
  ['api runtime.getState --type b', ['bot']],
  ['completion ', ['bash', 'zsh', 'fish']],
  ['deploy file', []],
])('completes %s', (line, expected) => {
  expect(completions(line)).toEqual(expected)
})

test('offers no hidden option', () => {
  expect(completions('bots --u')).toEqual([])
})
