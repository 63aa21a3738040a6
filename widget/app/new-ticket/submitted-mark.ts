/** The `data-` attribute of the root element that is set when "Send" is pressed before the app is loaded. */
export const submittedMark = 'submitted';

/** The `data-` attribute of the root element that is set when the app has taken over the form that the build drew. */
export const takenMark = 'taken';
