// The variables of canned replies.
import type { HandoffDetails } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/session.ts'

/** Returns a function that fills the variables in. Those without a value stay, so that people see them. */
export function useVariables({ user }: HandoffDetails): (text: string) => string {
  const { data } = useQuery(sessionQuery)
  const values = new Map([
    ['user.name', user?.name],
    ['agent.name', data?.account.displayName],
  ])
  return (text) =>
    text.replaceAll(
      /\{\{\s*([\w.]+)\s*\}\}/g,
      (variable, name: string) => values.get(name) || variable,
    )
}
