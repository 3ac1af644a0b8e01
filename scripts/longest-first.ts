// In which order the files of tests run: the longest first, so that none is left to run by itself at the end.
import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They start servers, browsers and bots; a fresh checkout knows no durations, and their size says nothing. */
export const longFiles = [
  ...[
    'crash',
    'command-line',
    'whole-or-nothing',
    'official-chat',
    'two-servers',
    'bad-bots',
    'chat-page',
    'official-cli',
    'said-again',
    'idempotency-crash',
  ],
  ...[
    'backlog',
    'streams',
    'flow-bots',
    'workflow-crash',
    'schedules-crash',
    'hostile-code',
    'archives',
    'embedded',
    'states-two-servers',
    'access-matrix',
  ],
]

function rank({ moduleId }: TestSpecification): number {
  const place = longFiles.indexOf(basename(moduleId, '.test.ts'))
  return place < 0 ? longFiles.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
