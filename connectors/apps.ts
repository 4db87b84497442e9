import type { ConnectorSpec } from './define.ts'
import { courseSchool } from './course-school/index.ts'
import { crm } from './crm/index.ts'
import { fieldJobs } from './field-jobs/index.ts'
import { fieldService } from './field-service/index.ts'
import { invitations } from './invitations/index.ts'
import { photoGallery } from './photo-gallery/index.ts'
import { propertyAdvertising } from './property-advertising/index.ts'
import { questionAnswer } from './question-answer/index.ts'
import { salonBooking } from './salon-booking/index.ts'
import { tourActivity } from './tour-activity/index.ts'
import { tourSupplier } from './tour-supplier/index.ts'
import { videoStreaming } from './video-streaming/index.ts'

/** One line per app, by slug, which is also the connector's folder. */
export const connectors: Readonly<Record<string, ConnectorSpec>> = {
  'course-school': courseSchool,
  crm,
  'field-jobs': fieldJobs,
  'field-service': fieldService,
  invitations,
  'photo-gallery': photoGallery,
  'property-advertising': propertyAdvertising,
  'question-answer': questionAnswer,
  'salon-booking': salonBooking,
  'tour-activity': tourActivity,
  'tour-supplier': tourSupplier,
  'video-streaming': videoStreaming,
}
