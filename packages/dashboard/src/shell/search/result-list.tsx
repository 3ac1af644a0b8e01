// A search field with its results below, in groups: arrows choose one, Enter opens it. The pattern of a
// combobox, so that screen readers announce the chosen result while the field keeps the focus.
import { Box, Loader, ScrollArea, Text, TextInput } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { IconSearch } from '../../icons/icons.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.search

export interface Result {
  /** Unique in its list. */
  key: string
  label: string
  /** Beside the label. */
  hint?: string | undefined
  icon: ReactNode
  isCurrent?: boolean
  open: () => void
}

export interface ResultGroup {
  title: string
  results: Result[]
}

interface ResultListProps {
  label: string
  text: string
  onText: (text: string) => void
  /** Without empty groups. */
  groups: ResultGroup[]
  isLoading: boolean
}

export function ResultList({ label, text, onText, groups, isLoading }: ResultListProps) {
  const id = useId()
  const results = groups.flatMap((group) => group.results)
  const { active, choose, onKeyDown } = useActive(results)
  const field = useRef<HTMLInputElement>(null)
  // A popover may have opened before this part was loaded.
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const toId = (key: string) => `${id}-${key}`
  useEffect(() => {
    if (active)
      document.getElementById(`${id}-${active.key}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <>
      <TextInput
        ref={field}
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={results.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={active && toId(active.key)}
        placeholder={label}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        rightSection={isLoading && <Loader size="xs" aria-hidden="true" />}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <Text
        size="sm"
        c="dimmed"
        role="status"
        className={results.length > 0 ? 'unseen' : ''}
        p="xs"
      >
        {isLoading ? t.searching : t.found(results.length)}
      </Text>
      <ScrollArea.Autosize mah="min(50dvh, 420px)" type="auto" scrollbarSize={6}>
        {results.length > 0 && (
          <Box id={id} role="listbox" aria-label={label} mt="xs">
            {groups.map(({ title, results: members }) => (
              <Box key={title} role="group" aria-label={title}>
                <div className="result-title" aria-hidden="true">
                  {title}
                </div>
                {members.map((result) => (
                  <Option
                    key={result.key}
                    id={toId(result.key)}
                    result={result}
                    isActive={result === active}
                    onHover={() => choose(result.key)}
                  />
                ))}
              </Box>
            ))}
          </Box>
        )}
      </ScrollArea.Autosize>
    </>
  )
}

/** The first result is active until the arrows or the mouse choose another. */
function useActive(results: Result[]) {
  const [chosen, choose] = useState('')
  const active = results.find(({ key }) => key === chosen) ?? results[0]
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && active) {
      event.preventDefault()
      const next = results.at((results.indexOf(active) + step) % results.length)
      choose(next!.key)
    }
    if (event.key === 'Enter' && active) {
      event.preventDefault()
      active.open()
    }
  }
  return { active, choose, onKeyDown }
}

interface OptionProps {
  id: string
  result: Result
  isActive: boolean
  onHover: () => void
}

const Option = ({ id, result, isActive, onHover }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys
  // biome-ignore lint/a11y/useFocusableInteractive: the field names it as its active descendant
  <div
    id={id}
    role="option"
    aria-selected={isActive}
    aria-current={result.isCurrent || undefined}
    className="result"
    onMouseMove={onHover}
    onMouseDown={(event) => event.preventDefault()}
    onClick={result.open}
  >
    {result.icon}
    <span className="foreign one-line">{result.label}</span>
    {result.hint && <span className="foreign one-line result-hint">{result.hint}</span>}
  </div>
)
