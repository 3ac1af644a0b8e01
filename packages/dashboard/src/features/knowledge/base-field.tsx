// The knowledge base into which something is added: a known one, or a new one.
import { Select, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFilter } from '../../api/filters.ts'
import { useBot } from '../../api/scope.ts'
import { texts } from '../../texts/texts.ts'
import { type Base, isTaken } from './bases.ts'

const t = texts.knowledge
const newBase = 'new'

/** First the one that the page shows, else the newest. */
export function useTargetBase(bases: Base[], fallback: string) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [filter] = useFilter('base')
  const known = bases.find(({ id }) => id === filter) ?? bases[0]
  const [into, setInto] = useState(known?.id ?? newBase)
  const [name, setName] = useState(fallback)
  return {
    field: { bases, into, setInto, name, setName },
    /** Undefined for a new one. */
    id: into === newBase ? undefined : into,
    isReady: into !== newBase || (name.trim() !== '' && !isTaken(bases, name)),
    /** Returns the id; creates a new knowledge base. */
    async resolve(): Promise<string> {
      if (into !== newBase) return into
      const body = { name: name.trim() }
      const { knowledgeBase } = await client.files.createKnowledgeBase({ body })
      await queries.invalidateQueries({ queryKey: ['files', botId, 'bases'] })
      // A failed action that is repeated must not create another.
      setInto(knowledgeBase.id)
      return knowledgeBase.id
    },
  }
}

export const BaseField = ({
  field: { bases, into, setInto, name, setName },
}: Pick<ReturnType<typeof useTargetBase>, 'field'>) => (
  <>
    <Select
      label={t.base}
      data={[
        ...bases.map(({ id, name }) => ({ value: id, label: name })),
        { value: newBase, label: t.bases.create },
      ]}
      value={into}
      onChange={(value) => value && setInto(value)}
      allowDeselect={false}
      limit={200}
      searchable
    />
    {into === newBase && (
      <TextInput
        label={t.bases.name}
        value={name}
        error={isTaken(bases, name) && t.bases.taken}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={200}
      />
    )}
  </>
)
