// The choice of a user, found by name, tag or id.
import type { Client } from '@botstead/client'
import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFilter } from '../../api/filters.ts'
import { useBot } from '../../api/scope.ts'
import { texts } from '../../texts/texts.ts'
import { toTags } from './typed-filter.ts'

const t = texts.users

interface UserChoiceProps
  extends Pick<SelectProps, 'label' | 'aria-label' | 'size' | 'flex'> {
  /** Id. */
  value: string | null
  onChange: (id: string | null) => void
}

export function UserChoice({ value, onChange, ...field }: UserChoiceProps) {
  const [typed, setTyped] = useState('')
  const [settled] = useDebouncedValue(typed, 250)
  const [isOpen, setOpen] = useState(false)
  const chosen = useUser(value)
  const found = useFoundUsers(settled, isOpen)
  const choices = new Map(
    [...(chosen ? [chosen] : []), ...found].map((user) => [user.value, user] as const),
  )
  return (
    <Select
      {...field}
      placeholder={t.choiceHint}
      data={[...choices.values()]}
      // The server has filtered, also by tags that labels do not show.
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      nothingFoundMessage={t.noChoice}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': texts.conversations.filters.any }}
      comboboxProps={{ width: 300, position: 'bottom-start' }}
    />
  )
}

export function UserFilter({ name, label }: { name: string; label: string }) {
  const [value, setValue] = useFilter(name)
  return (
    <UserChoice
      label={label}
      value={value ?? null}
      onChange={(id) => setValue(id ?? '')}
    />
  )
}

interface Choice {
  value: string
  label: string
}

const toChoice = ({ id, name }: { id: string; name?: string }): Choice => ({
  value: id,
  label: name ? `${name} (…${id.slice(-4)})` : id,
})

/** Returns the name of a user that a filter has, or its id. */
export const useUserLabel = (id: string | undefined): string =>
  useUser(id ?? null)?.label ?? ''

/** The chosen user; its id alone if it does not exist any more. */
function useUser(id: string | null): Choice | undefined {
  const { botId, client } = useBot()
  const { data } = useQuery({
    queryKey: ['users', botId, 'choice', id],
    queryFn: ({ signal }) => findUsers(client, id!, signal),
    enabled: id !== null,
  })
  if (id === null) return undefined
  return data?.[0] ?? { value: id, label: id }
}

function useFoundUsers(typed: string, isOpen: boolean): Choice[] {
  const { botId, client } = useBot()
  const { data } = useQuery({
    queryKey: ['users', botId, 'choices', typed],
    queryFn: ({ signal }) => findUsers(client, typed.trim(), signal),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  return data ?? []
}

async function findUsers(
  client: Client,
  text: string,
  signal: AbortSignal,
): Promise<Choice[]> {
  if (text.startsWith('user_')) {
    const found = await client.platform
      .getUser({ params: { id: text } }, { signal })
      .catch(() => null)
    return found ? [toChoice(found.user)] : []
  }
  // The label of a chosen user is its name with the end of its id.
  const name = text.replace(/ \(….{4}\)$/, '')
  const tags = toTags(name)
  // Members who answer are no users of the bot.
  const query = { pageSize: 20, isMember: false, ...(tags ? { tags } : name && { name }) }
  const { users } = await client.platform.searchUsers({ query }, { signal })
  return users.map(({ user }) => toChoice(user))
}
