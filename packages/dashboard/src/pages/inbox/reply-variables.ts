// The variables of canned replies.
import type { HandoffDetails } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/session.ts'

const variables = /\{\{\s*([\w.]+)\s*\}\}/g

/** Returns the first variable without a value, as it is written. */
export const unfilledIn = (text: string): string | undefined => text.match(variables)?.[0]

/** Returns a function that fills the variables in. Those without a value stay for the member. */
export function useVariables({ user }: HandoffDetails): (text: string) => string {
  const { data } = useQuery(sessionQuery)
  const values = new Map([
    ['user.name', user?.name],
    ['agent.name', data?.account.displayName],
  ])
  return (text) =>
    text.replaceAll(variables, (variable, name: string) => values.get(name) || variable)
}
