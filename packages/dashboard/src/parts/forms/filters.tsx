// The filters of a list. On a phone they are behind a button with the number of active ones.
import { Button } from '@mantine/core'
import { useDisclosure, useId } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Filters as Search } from '../../api/filters.ts'
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
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const active = names.filter((name) => search[name])
  const clear = () =>
    void navigate({
      to: '.',
      search: (before: Search) => ({
        ...before,
        ...Object.fromEntries(active.map((name) => [name, undefined])),
      }),
    })
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
          <Button variant="default" onClick={clear}>
            {t.clear}
          </Button>
        )}
      </div>
    </section>
  )
}
