//! What the figures of a page mean.

/// Terms and their meaning.
pub(crate) const GLOSSARY: [(&str, &str); 11] = [
    (
        "Load line",
        "The greatest arrival rate at which every objective holds. Jain calls it the usable capacity. The true line lies in \
         the interval with the stated confidence; the bracket is the distance between the greatest rate that passed and the \
         least above it that failed.",
    ),
    (
        "Offered, completed, goodput",
        "Requests that the schedule asked for; responses received to the last byte; responses that were also correct and \
         inside the response-time objectives. All per second.",
    ),
    (
        "Response time",
        "From the scheduled start of a request to the last byte of its response. A request that had to wait for its turn has \
         waited: coordinated omission does not happen.",
    ),
    (
        "Service time",
        "From the actual send to the last byte. Where it is much shorter than the response time, requests wait before they \
         are sent.",
    ),
    (
        "Schedule lag",
        "From the scheduled start until the bytes were handed to the kernel. It grows when all connections are busy, or when \
         the generator itself is late.",
    ),
    (
        "Percentile",
        "p99 is the time that 99 of 100 requests did not exceed. Percentiles of windows are never averaged; the histograms \
         are added up.",
    ),
    (
        "Objective, window, step",
        "A condition that has to hold; a slice of the run, one second by default, in which it is judged; one rate held for \
         some seconds during a search. A step passes when enough of its windows do.",
    ),
    (
        "CPU",
        "Busy share of the cores that the service may use, all of its processes together.",
    ),
    (
        "Errors",
        "Refused, reset and timed-out requests, malformed responses and unexpected statuses. A request that timed out counts \
         in the response times with its timeout.",
    ),
    (
        "Dropped",
        "Arrivals for which no request was ever sent. They are always shown, because a load that was not offered proves \
         nothing.",
    ),
    (
        "Invalid",
        "The generator was too busy or too late in this step, so its figures describe the generator and not the service.",
    ),
];

/// The term of a page that says how many instances a demand needs.
pub(crate) const SIZING_TERM: (&str, &str) = (
    "Instances, headroom, spare",
    "How many copies of the service carry a demand: predicted from the load line of one, never measured. The headroom is the \
     share of the line that is kept free in each; the spare is one instance more, so that the headroom is still kept when one is \
     lost. A month has 730 hours.",
);
