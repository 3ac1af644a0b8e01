import { useLocalStorage } from '@mantine/hooks'

/** Returns a choice that this browser remembers, and its setter. Off at first. */
export const useRemembered = (name: string) =>
  useLocalStorage({
    key: `botstead.${name}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
