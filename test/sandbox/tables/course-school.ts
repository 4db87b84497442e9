import { courseSchool } from '../../../sandbox/course-school/app.ts'
import type { AppPerson } from '../open-app.ts'
import type { Row, Table } from './table.ts'

const joined = (row: Row): number => -Date.parse(String(row['joined'] ?? row['posted']))
const course = '<courses|0.no>'

/** Somebody without a session comments on a lecture. */
async function comments(who: AppPerson): Promise<Response> {
  const { school } = await who.read<{ school: { no: number } }>('/api/session')
  const { rows } = await who.read<{ rows: Row[] }>('/api/schools/mine/courses')
  const outline = await who.read<{ lectures: Row[] }>(`/api/schools/mine/courses/${String(rows[0]?.['no'])}/outline`)
  const lecture = String(outline.lectures.find(({ live }) => live === true)?.['no'])
  const body = new URLSearchParams({ lecture, name: 'Ada', text: 'Meanwhile' })
  return fetch(`${who.base}/learn/${school.no}/aguarela/comments`, { method: 'POST', body, redirect: 'manual' })
}
const mine = '/schools/mine'
const lectures = `courses/${course}/sections/<courses/${course}/outline|.lectures.0.section>/lectures`
const lecture = `${mine}/courses/${course}/lectures/<courses/${course}/outline|.lectures.0.no>`

export const table: Table = {
  app: courseSchool,
  base: '/api/schools/mine/',
  token: ['/api/session', 'csrf'],
  size: 'size',
  paged: /^(students|comments)/,
  total: 'total',
  next: ({ after }: { after?: string | null }) => (after ? `after=${after}` : null),
  lists: {
    students: { id: 'uid', least: 170, order: joined },
    [`students?course=${course}`]: {
      id: 'uid',
      least: 110,
      order: joined,
      meanwhile: async (who, { count }) => {
        const { rows } = await who.read<{ rows: Row[] }>('/api/schools/mine/courses')
        return who.form(`/schools/mine/courses/${String(rows[0]?.['no'])}/enrolments`, {
          mail: `late.${count}@mail.example`,
        })
      },
    },
    comments: {
      id: 'no',
      least: 270,
      order: joined,
      choices: { state: ['held', 'refused', 'live'] },
      where: ([comment]: Row[]) => {
        const own = { course: comment?.['course'] as string }
        return {
          [`course=${own.course}`]: own,
          'unseen=1': { seen: false },
          [`unseen=1&state=held&course=${own.course}`]: { ...own, state: 'held', seen: false },
        }
      },
      same: ['state=any&unseen=0'],
    },
    'comments?state=held': {
      id: 'no',
      order: joined,
      by: 8,
      meanwhile: async (who, { seen }: { seen: Row[] }) => {
        await who.form(`/schools/mine/comments/${String(seen.at(-1)?.['no'])}/verdict`, { verdict: 'refuse' })
        return comments(who)
      },
      adds: 0,
      keeps: 'ids',
    },
    'comments?state=refused': { id: 'no', order: joined },
    'comments?state=live': { id: 'no', order: joined },
    'comments?unseen=1': { id: 'no', order: joined },
    courses: { id: 'no', least: 3, where: { 'state=live': { live: true }, 'state=draft': { live: false } } },
    coupons: { id: 'no', least: 40 },
    'coupons?filed=1': { id: 'no', least: 61 },
  },
  refused: `
    400 PARAMETER_INVALID: students?size=0  students?size=101  comments?state=pending  comments?unseen=true
      courses?state=gone  coupons?filed=2
    400 PAGE_TOKEN_INVALID: students?after=x
    404 COURSE_NOT_FOUND: students?course=1
    400 BODY_INVALID: POST ${lectures} []
    422 MD_INVALID: POST ${lectures} {"heading":"x","md":5}
    422 NOTHING_TO_CHANGE: FORM ${lecture}
    422 HEADING_TOO_LONG: FORM ${lecture} heading=${'x'.repeat(201)}
    422 MD_TOO_LONG: FORM ${lecture} md=${'x'.repeat(50_001)}
    422 CODE_REQUIRED: FORM ${mine}/coupons percent=5
    422 CODE_INVALID: FORM ${mine}/coupons code=ab&percent=5
    422 CODE_TOO_LONG: FORM ${mine}/coupons code=${'a'.repeat(33)}&percent=5
    422 REDUCTION_REQUIRED: FORM ${mine}/coupons code=abc  FORM ${mine}/coupons code=abc&percent=5&amount=5
    422 SCOPE_INVALID: FORM ${mine}/coupons code=abc&percent=5&scope=all
    422 TYPE_INVALID: FORM ${mine}/coupons code=abc&percent=5&scope=type&type=x
    422 ENDS_INVALID: FORM ${mine}/coupons code=abc&percent=5&ends=2027-01-01
    422 STOCK_INVALID: FORM ${mine}/coupons code=abc&percent=5&stock=0
    422 LABEL_TOO_LONG: FORM ${mine}/coupons code=abc&percent=5&label=${'x'.repeat(121)}
    422 MAIL_REQUIRED: FORM ${mine}/courses/${course}/enrolments
    422 FULL_NAME_TOO_LONG: FORM ${mine}/courses/${course}/enrolments mail=a@b.example&full_name=${'x'.repeat(121)}
    422 TO_INVALID: FORM ${mine}/mailings
    422 UIDS_REQUIRED: FORM ${mine}/mailings to=picked&subject=x&message=x
    422 SUBJECT_REQUIRED: FORM ${mine}/mailings to=everyone&message=x
    422 SUBJECT_TOO_LONG: FORM ${mine}/mailings to=everyone&message=x&subject=${'x'.repeat(151)}
    422 MESSAGE_REQUIRED: FORM ${mine}/mailings to=everyone&subject=x&message=+
    422 TEXT_TOO_LONG: FORM ${mine}/comments/<comments?state=live|0.no>/replies text=${'x'.repeat(2001)}
    404 PAGE_NOT_FOUND: ${mine}/nothing
    404 SECTION_NOT_FOUND: POST courses/<courses|1.no>/sections/<courses/${course}/outline|.lectures.0.section>/lectures {"heading":"x"}
    404 LECTURE_NOT_FOUND: FORM ${mine}/courses/<courses|1.no>/lectures/<courses/${course}/outline|.lectures.0.no> heading=x
  `,
  place: ['students', ['comments'], '400 PAGE_TOKEN_INVALID', '200'],
  names: `students  comments  courses  coupons  courses/${course}/outline  students/<students|0.uid>`,
  looks: {},
  holds: {
    'coupons?filed=1|state': ['on', 'lapsed', 'sold_out', 'filed'],
    'comments|state': ['held', 'refused', 'live'],
    'comments|text': /^.{1901}/s,
    'students|full_name': /^$/,
    'courses|heading': /[\u0600-\u06ff]/,
  },
  across: { '/api/session|.school.zone': 7 },
  change: comments,
  strangers: `
    404 COURSE_NOT_FOUND: courses/${course}/outline  students?course=${course}
      FORM ${lecture} heading=x  FORM ${lecture}/visibility live=0  POST ${lectures} {"heading":"x"}
      FORM ${mine}/courses/${course}/enrolments mail=a@b.example  comments?course=${course}
      FORM ${mine}/mailings to=course&course=${course}&subject=x&message=x
    404 STUDENT_NOT_FOUND: students/<students|0.uid>
      FORM ${mine}/mailings to=picked&uids=<students|0.uid>&subject=x&message=x
    404 COMMENT_NOT_FOUND: comments/<comments|0.no>  FORM ${mine}/comments/<comments?state=live|0.no>/replies text=x
      FORM ${mine}/comments/<comments?state=held|0.no>/verdict verdict=allow
      FORM ${mine}/comments/<comments?unseen=1|0.no>/seen
    404 COUPON_NOT_FOUND: coupons/<coupons|0.no>  FORM ${mine}/coupons/<coupons|0.no>/file
    404 PLAN_NOT_FOUND: FORM ${mine}/coupons code=abc&percent=5&scope=plan&plan=<plans|0.no>
  `,
  kinds: {
    owner: `
      303: FORM ${mine}/comments/<comments?unseen=1|0.no>/seen  FORM ${mine}/settings/moderation on=0
        FORM ${lectures.replace('courses', `${mine}/courses`)} heading=Bare
      409 MODERATION_UNCHANGED: FORM ${mine}/settings/moderation on=0
      409 COMMENT_ALREADY_SEEN: FORM ${mine}/comments/<comments?state=refused|0.no>/seen
    `,
    open_owner: `
      409 MODERATION_OFF: comments?state=held  FORM ${mine}/comments/<comments?state=live|0.no>/verdict verdict=refuse
    `,
    author: `
      403 OWNER_ONLY: students  coupons  ${mine}/settings  FORM ${mine}/courses/${course}/enrolments mail=a@b.example
        FORM ${mine}/mailings to=everyone&subject=x&message=x  FORM ${mine}/coupons code=abc&percent=5
        FORM ${mine}/comments/<comments|0.no>/replies text=x  FORM ${mine}/comments/<comments|0.no>/verdict verdict=allow
      303: FORM ${lecture} heading=Mine
    `,
  },
  pages: {
    shows: '',
    paths: `
      ${mine}/courses  ${mine}/courses/${course}  ${lecture}  ${mine}/students  ${mine}/students/<students|0.uid>
      ${mine}/comments  ${mine}/comments/<comments?state=live|0.no>  ${mine}/coupons  ${mine}/coupons/new
      ${mine}/coupons/<coupons|0.no>  ${mine}/mailings  ${mine}/settings
    `,
  },
}
