// Other programs on the machine with systemd: the reverse proxies of docs/reverse-proxy.md one after another,
// and Prometheus with the configuration of docs/operations.md.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, until } from './checks.js'
import { readBlocks } from './document.js'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))
const proxies = join(docs, 'reverse-proxy.md')
const enter = 'cd /usr/local/lib/node_modules/botstead\n'

/** nginx runs already. Traefik is not in Debian. */
export async function tryOtherProxies(machine, host) {
  const [nginx] = readBlocks(proxies, '## nginx')
  const [caddy] = readBlocks(proxies, '## Caddy')
  const [haproxy] = readBlocks(proxies, '## HAProxy')
  const respond = (url, expected) =>
    until(`${url} responds`, async () =>
      expect(await machine.run(`node -e "${request}" ${url}`), expected),
    )
  await machine.run(enter + nginx)
  await respond(`https://${host}/readyz`, /^200/m)
  await machine.run(`systemctl stop nginx\n${enter}${caddy}`)
  // No authority gives it a certificate here.
  await respond(`http://${host}/readyz`, `308 https://${host}/readyz`)
  await machine.run(`systemctl stop caddy\nsystemctl start haproxy\n${enter}
    cp /etc/ssl/botstead/*.pem .\n${haproxy}`)
  await respond(`https://${host}/readyz`, /^200/m)
}

/** Prints status and location of the response. */
const request = `
const [, url] = process.argv
process.env.NODE_TLS_REJECT_UNAUTHORIZED = 0
fetch(url, { redirect: 'manual' }).then(({ status, headers }) =>
  console.log(status, headers.get('location')))`

export async function tryPrometheus(machine, cli) {
  const page = join(docs, 'operations.md')
  const [checkRules] = readBlocks(page, '### Alerts and dashboard')
  const [configuration] = readBlocks(page, '### Alerts and dashboard', 'yaml')
  await machine.run(
    `${cli} tokens create --account owner@localhost > /etc/prometheus/botstead.token`,
  )
  await machine.run(enter + checkRules)
  await machine.run(`cat > /etc/prometheus/prometheus.yml <<'END'\n${configuration}END`)
  await machine.run('promtool check config /etc/prometheus/prometheus.yml')
  await machine.run('systemctl restart prometheus')
  const query = "http://127.0.0.1:9090/api/v1/query?query=up{job='botstead'}"
  await until('Prometheus reads the metrics', async () => {
    const script = `fetch(process.argv[1]).then((r) => r.text()).then(console.log)`
    expect(await machine.run(`node -e "${script}" "${query}"`), /"1"\]/)
  })
}
