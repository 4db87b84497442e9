import { loadApps } from '../../connectors/registry.ts'
import { startExampleSandbox } from '../../scripts/examples/sandbox.ts'
const s = await startExampleSandbox('field-jobs')
const app = loadApps({ sandboxUrl: s.url }).get('field-jobs')!
let t=Date.now(); await s.reset(); console.log('reset ms', Date.now()-t)
const accounts = await s.accounts('field-jobs'); console.log(accounts.map(a=>[a.user,a.kind,a.account]))
const demo = accounts.find(a=>a.user==='demo')!
const call = async (n: string, i: unknown) => { const r = await s.call(app, app.endpoints.get(n)!, i, demo.session); return r.outcome.kind==='ok'? r.outcome.output as any : r.outcome }
const d = (n: number) => new Date(Date.now()+n*86400000).toISOString().slice(0,10)
console.log(JSON.stringify(await call('list_jobs', {from:d(8),to:d(9),status:['submitted'],limit:20}),null,0))
console.log(JSON.stringify(await call('list_jobs', {from:d(-12),to:d(-9),status:['Done'],limit:20}),null,0))
console.log(JSON.stringify(await call('list_leads', {limit:3})))
console.log(JSON.stringify(await call('list_clients', {query:'könig',limit:6})))
console.log(JSON.stringify(await call('list_estimates', {status:'draft',limit:4})))
console.log(JSON.stringify(await call('list_estimates', {limit:4})))
console.log(JSON.stringify(await call('list_invoices', {limit:8})))
console.log(JSON.stringify(await call('list_invoices', {status:'partially_paid',limit:3})))
const sch = await call('get_schedule', {from:d(2)}); console.log(JSON.stringify(sch))
const c = await fetch(`${s.url}/field-jobs/api/setup`, {headers:{cookie: demo.session.cookies.map((c:any)=>`${c.name}=${c.value}`).join('; ')}})
console.log(await c.text())
const b = await fetch(`${s.url}/field-jobs/api/bills?standing=open&per_page=12`, {headers:{cookie: demo.session.cookies.map((c:any)=>`${c.name}=${c.value}`).join('; ')}})
console.log(await b.text())
await s.close()
