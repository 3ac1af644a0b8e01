// The issues of ended processes. The delivery that a process handled notes the same one.

import type { RunnerEnd } from '@botstead/sandbox'
import type { IssueCode } from '../bots/index.ts'

export const endingIssues = {
  crashed: 'process_crashed',
  frame: 'process_crashed',
  load: 'code_not_loaded',
  memory: 'memory_exceeded',
  timeout: 'time_exceeded',
} as const satisfies Record<Exclude<RunnerEnd, 'ended'>, IssueCode>
