// A steady load, in the image of Callgate, until SIGTERM: load.mjs <id of a call that waits>. Reads and writes as fast as one key may, somebody who
// looks ten times a second, somebody who waits for a call's end. Then every call is asked after. Its last line says what came of it; exit code 1: something
// was refused, or lost.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const base = 'http://localhost:8080/api/v1'
const app = 'property-advertising'
const { key } = JSON.parse(readFileSync('/person/state.json', 'utf8'))
const [waiting] = process.argv.slice(2)
const seen = { asked: 0, slowest: 0 }
/** What was not answered as it should be: when, what, how. */
const refused = []
const calls = []
let over = false
process.on('SIGTERM', () => (over = true))

async function ask(method, path, headers = {}, body = undefined) {
  const began = Date.now()
  seen.asked++
  try {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    seen.slowest = Math.max(seen.slowest, path.includes('wait=') ? 0 : Date.now() - began)
    if (!answer.ok) refused.push(`${new Date(began).toISOString()} ${method} ${path}: ${answer.status} ${text.slice(0, 200)}`)
    return { id: answer.headers.get('X-Request-Id'), body: answer.ok ? JSON.parse(text) : {} }
  } catch (error) {
    refused.push(`${new Date(began).toISOString()} ${method} ${path}: ${error.cause?.code ?? error.message}`)
    return { id: null, body: {} }
  }
}

async function every(ms, act) {
  for (let i = 0; !over; i++) {
    const next = pause(ms)
    await act(i)
    await next
  }
}

/** Sixty calls a minute are a key's; each on a connection of its own. */
async function call(contact, i) {
  const alone = { Connection: 'close', Prefer: 'wait=50' }
  const made =
    i % 2 === 0
      ? await ask('POST', `/${app}/list_contacts`, alone, {})
      : await ask('POST', `/${app}/add_contact_note`, { ...alone, 'Idempotency-Key': `load-${Date.now()}` }, { contact_id: contact, note: `Note ${i}` })
  if (made.id !== null) calls.push(made.id)
}

const { body } = await ask('POST', `/${app}/list_contacts`, {}, {})
const contact = body.contacts?.[0]?.contact_id
console.log('begun')
await Promise.all([
  every(1_300, (i) => call(contact, i)),
  every(100, () => ask('GET', '/apps')),
  every(100, () => ask('GET', `/calls/${waiting}?wait=20`)),
])
const ends = await Promise.all(calls.map(async (id) => [id, (await ask('GET', `/calls/${id}?wait=50`)).body.status]))
const lost = ends.filter(([, status]) => status !== 'executed')
console.log(refused.slice(0, 20).join('\n'))
console.log(`${seen.asked} requests, ${refused.length} refused; ${calls.length} calls, ${lost.length} lost ${lost.slice(0, 5).join(' ')}; slowest answer ${seen.slowest} ms`)
process.exitCode = Number(refused.length + lost.length > 0 || calls.length === 0)
