// Filters that follow a text field after a moment, and tags in one field.
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useFilter } from '../../api/filters.ts'

const typingMs = 300

/** Returns the text of a field and its setter; the filter follows after a moment. */
export function useTypedFilter(name: string): [string, (text: string) => void] {
  const [filter = '', setFilter] = useFilter(name)
  const [typed, setTyped] = useState<string | null>(null)
  const apply = useDebouncedCallback((text: string) => {
    setFilter(text.trim())
    setTyped(null)
  }, typingMs)
  return [
    typed ?? filter,
    (text) => {
      setTyped(text)
      apply(text)
    },
  ]
}

/** Parses `name=value`. Returns no tags for another text. */
export function toTags(text: string | undefined): Record<string, string> | undefined {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text ?? '') ?? []
  return name && value ? { [name]: value } : undefined
}
