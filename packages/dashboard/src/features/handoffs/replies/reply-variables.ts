// The variables of canned replies: `{{user.name}}`, or `{{user.name|there}}` with a text for users
// without a name.
import type { HandoffDetails } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../../api/session.ts'

const variables = /\{\{\s*([^{}|]*?)\s*(?:\|\s*([^{}|]*?)\s*)?\}\}/g
const known = ['user.name', 'agent.name']

/** Returns the first variable without a value, as it is written. */
export const unfilledIn = (text: string): string | undefined => text.match(variables)?.[0]

/** Returns the first variable that does not exist, as it is written. */
export const unknownIn = (text: string): string | undefined =>
  [...text.matchAll(variables)].find(([, name]) => !known.includes(name!))?.[0]

/** Returns a function that fills the variables in. Those without a value stay for the member. */
export function useVariables({ user }: HandoffDetails): (text: string) => string {
  const { data } = useQuery(sessionQuery)
  const values = new Map([
    ['user.name', user?.name],
    ['agent.name', data?.account.displayName],
  ])
  return (text) =>
    text.replaceAll(
      variables,
      (variable, name: string, fallback?: string) =>
        values.get(name) || fallback || variable,
    )
}
