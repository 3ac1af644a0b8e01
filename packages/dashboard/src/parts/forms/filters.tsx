// The filters of a list, behind a button with the number of active ones: on a phone, or with `labels` at
// every width.
import { Button, Group } from '@mantine/core'
import { useDisclosure, useId } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import type { Filters as Search } from '../../api/filters.ts'
import { IconX } from '../../icons/icons.tsx'
import { texts } from '../../texts/texts.ts'
import classes from './filters.module.css'

const t = texts.filters

interface FiltersProps {
  /** Names of the filters in the address. */
  names: string[]
  children: ReactNode
}

export function Filters({ names, children }: FiltersProps) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const id = useId()
  const { active, clear } = useActive(names)
  return (
    <section aria-label={t.label}>
      <Button
        className="narrow-only"
        variant="default"
        size="sm"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        {t.button(active.length)}
      </Button>
      <div id={id} className={classes.fields} data-open={isOpen}>
        {children}
        {active.length > 0 && (
          <Button variant="default" onClick={() => clear(active)}>
            {t.clear}
          </Button>
        )}
      </div>
    </section>
  )
}

interface FoldedFiltersProps {
  /** The name of a filter that is always visible, and its field. */
  search: { name: string; field: ReactNode }
  /** Texts of the other active filters, by name. */
  labels: Record<string, (value: string) => string>
  children: ReactNode
}

/** Shows the active filters as buttons that remove them. */
export function FoldedFilters({ search, labels, children }: FoldedFiltersProps) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const { values, active, clear } = useActive(Object.keys(labels))
  const all = [...(values[search.name] ? [search.name] : []), ...active]
  const remove = (names: string[]) => {
    // The button that removes a filter disappears with it.
    button.current?.focus()
    clear(names)
  }
  return (
    <section aria-label={t.label} className={classes.folded}>
      <div className={classes.head}>
        <div className={classes.search}>{search.field}</div>
        <Button
          ref={button}
          variant="default"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={toggle}
        >
          {t.button(active.length)}
        </Button>
      </div>
      {isOpen && (
        <div id={id} className={classes.fields}>
          {children}
        </div>
      )}
      {all.length > 0 && (
        <Group gap={6}>
          {active.map((name) => {
            const label = labels[name]!(values[name]!)
            return (
              <Button
                key={name}
                size="compact-sm"
                variant="default"
                maw="100%"
                aria-label={t.remove(label)}
                rightSection={<IconX size={14} aria-hidden="true" />}
                onClick={() => remove([name])}
              >
                <span className="foreign one-line">{label}</span>
              </Button>
            )
          })}
          <Button size="compact-sm" variant="default" onClick={() => remove(all)}>
            {t.clear}
          </Button>
        </Group>
      )}
    </section>
  )
}

function useActive(names: string[]) {
  const values: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const clear = (cleared: string[]) =>
    void navigate({
      to: '.',
      search: (before: Search) => ({
        ...before,
        ...Object.fromEntries(cleared.map((name) => [name, undefined])),
      }),
    })
  return { values, active: names.filter((name) => values[name]), clear }
}
