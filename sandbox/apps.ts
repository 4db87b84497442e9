import { courseSchool } from './course-school/app.ts'
import { crm } from './crm/app.ts'
import { fieldJobs } from './field-jobs/app.ts'
import { fieldService } from './field-service/app.ts'
import { invitations } from './invitations/app.ts'
import { photoGallery } from './photo-gallery/app.ts'
import type { SandboxApp } from './platform/types.ts'
import { propertyAdvertising } from './property-advertising/app.ts'
import { questionAnswer } from './question-answer/app.ts'
import { salonBooking } from './salon-booking/app.ts'
import { tourActivity } from './tour-activity/app.ts'
import { tourSupplier } from './tour-supplier/app.ts'
import { videoStreaming } from './video-streaming/app.ts'

export const apps: readonly SandboxApp[] = [
  courseSchool,
  crm,
  fieldJobs,
  fieldService,
  invitations,
  photoGallery,
  propertyAdvertising,
  questionAnswer,
  salonBooking,
  tourActivity,
  tourSupplier,
  videoStreaming,
]
