-- The same request again and again: fixed.lua <folder of the scripts> <target> [<file with the body>]
function init(args)
    dofile(args[1] .. "/result.lua")
    if args[3] then
        local file = io.open(args[3], "rb")
        wrk.body = file:read("*a")
        wrk.method = "POST"
        file:close()
    end
    local formatted = wrk.format(nil, args[2])
    request = function() return formatted end
end
