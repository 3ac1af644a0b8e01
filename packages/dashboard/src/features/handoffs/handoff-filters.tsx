// Filters of the inbox; they are in the address.
import type { Handoff } from '@botstead/contract'
import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Filters as Search } from '../../api/filters.ts'
import { ChoiceFilter, TextFilter } from '../../parts/forms/filter-fields.tsx'
import { Filters } from '../../parts/forms/filters.tsx'
import { toTags } from '../../parts/forms/typed-filter.ts'
import { texts } from '../../texts/texts.ts'
import { useAnsweringMembers } from './members.ts'

const t = texts.inbox.filters
const names = ['text', 'tag', 'member', 'source']

/** Lists of handoffs of several members. */
const hasMembers = (list: string) => list === 'open' || list === 'closed'

/** Returns the filters for the API. */
export function useHandoffFilter(list: string) {
  const { text, tag, member, source }: Search = useSearch({ strict: false })
  const tags = toTags(tag)
  return {
    ...(text && { text }),
    ...(tags && { tags }),
    ...(member && hasMembers(list) && { assignedTo: member }),
    ...(source &&
      Object.hasOwn(t.sources, source) && { source: source as Handoff['source'] }),
  }
}

interface HandoffFiltersProps {
  list: string
  /** Beside an open handoff, there is only space to clear them. */
  isBeside: boolean
}

export function HandoffFilters({ list, isBeside }: HandoffFiltersProps) {
  const members = useAnsweringMembers({ isNeeded: !isBeside && hasMembers(list) })
  if (isBeside) return <Clear />
  const choices = members.map(({ id, name }) => ({ value: id, label: name }))
  const sources = Object.entries(t.sources).map(([value, label]) => ({ value, label }))
  return (
    <Filters names={names}>
      <TextFilter name="text" label={t.text} maxLength={500} />
      <TextFilter name="tag" label={t.tag} placeholder={t.tagHint} maxLength={500} />
      {hasMembers(list) && (
        <ChoiceFilter name="member" label={t.member} choices={choices} />
      )}
      <ChoiceFilter name="source" label={t.source} choices={sources} />
    </Filters>
  )
}

function Clear() {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  if (!names.some((name) => search[name])) return null
  const empty = Object.fromEntries(names.map((name) => [name, undefined]))
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() =>
        void navigate({ to: '.', search: (before: Search) => ({ ...before, ...empty }) })
      }
    >
      {texts.filters.clear}
    </Button>
  )
}
