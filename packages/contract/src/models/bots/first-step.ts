import { type Static, Type as T } from 'typebox'
import { closed } from '../../fields.ts'

/** In the order in which the dashboard offers them. */
const firstSteps = [
  'talk',
  'document',
  'greeting',
  'website',
  'invite',
  'channel',
  'handoff',
] as const

/**
 * A step that most new bots need. `talk`: a user has written. `document`: a file is searchable, beside the
 * samples of an example. `greeting`: the webchat has a greeting of people. `website`: the webchat has
 * allowed websites. `invite`: the workspace has other members, or an invitation. `channel`: a messenger or
 * another integration with channels is registered. `handoff`: a conversation was handed over.
 * @component
 */
export const FirstStep = closed({ name: T.Enum([...firstSteps]), isDone: T.Boolean() })
export type FirstStep = Static<typeof FirstStep>
