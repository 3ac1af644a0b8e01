// A budget per tenant that refills with time. What a job takes is known only afterwards, so a tenant
// may owe a part; it then waits until that is refilled.

interface Allowances {
  /** Returns what the tenant may take now; zero or less if nothing. */
  available(tenant: string): number
  spend(tenant: string, amount: number): void
}

const maxTenants = 10_000

export function openAllowances({
  burst,
  perSecond,
  now = () => performance.now(),
}: {
  /** The most that a tenant can take at once. */
  burst: number
  perSecond: number
  /** In milliseconds. */
  now?: () => number
}): Allowances {
  /** Of tenants that took something, the oldest first. */
  const taken = new Map<string, { amount: number; at: number }>()
  const owed = (tenant: string) => {
    const { amount, at } = taken.get(tenant) ?? { amount: 0, at: 0 }
    return Math.max(0, amount - ((now() - at) / 1_000) * perSecond)
  }
  return {
    available: (tenant) => burst - owed(tenant),
    spend(tenant, amount) {
      const sum = owed(tenant) + amount
      taken.delete(tenant)
      taken.set(tenant, { amount: sum, at: now() })
      if (taken.size > maxTenants) taken.delete(taken.keys().next().value!)
    },
  }
}
